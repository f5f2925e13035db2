// The playground as the site has it, with what a notebook's page does without: joined for one, it has none of this.
import { fromAddress, toAddress } from "./address.js";
import { leads } from "./leads.js";
import { addLooking } from "./looking.js";
import { mount } from "./playground.js";
import { addPresets } from "./presets.js";
import { addWords } from "./words.js";

// home: the address of the playground's own page, for links; address: where the page's own address says the setting, and
// is kept up with it.
export function mountOnSite(root, raw, spawn, { home = "", address = false } = {}) {
  const linked = address && location.hash;
  const { steered, ...said } = linked ? { ...raw, bet: false, ...fromAddress(location.hash.slice(1)) } : raw;
  if (address) addEventListener("hashchange", () => location.reload()); // a link to another setting was followed
  const opens = linked ? said.bet : "bet" in raw; // the site's pages open alike, with a bet or without
  const link = (setting, wasSteered) => `${home}#${toAddress(setting)}${wasSteered ? `&steered=yes` : ""}`;
  const says = steered ? ["The network that this link is of was steered while it trained. From the start, with its last settings, another comes out."] : [];
  const at = (path) => new URL(path, home || location.href).href, adds = (lab) => [addPresets(lab, at), addWords(lab, at), addLooking(lab)];
  return mount(root, said, spawn, { opens, link, says, leads, adds, written: address });
}
