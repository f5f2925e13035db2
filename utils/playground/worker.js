// A worker of the site: a notebook makes its own of the same text.
import { serve } from "./serving.js";

serve(self);
