// A worker of a page that imports modules, as tests and benchmarks do: the joined script makes its own of the same text.
import { serve } from "./serving.js";

serve(self);
