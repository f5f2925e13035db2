// A playground's setting as what stands behind the # of its page's address.
import { DEFAULTS, EACH } from "./setting.js";

// Returns what stands behind the # of an address: what differs from the defaults.
export function toAddress(setting) {
  const words = new URLSearchParams();
  for (const [key, usual] of Object.entries(DEFAULTS)) {
    let value = setting[key];
    if (EACH.includes(key) && (value[0] === value[1] || !setting.against)) value = value[0];
    const written = (one) => (one === null ? "none" : Array.isArray(one) ? one.join(EACH.includes(key) ? "," : "-") : `${one}`);
    if (written(value) !== written(usual) && key !== "bet") words.set(key, written(value));
  }
  return words.toString().replaceAll("%2C", ",");
}

export function fromAddress(text) {
  const raw = {};
  for (const [key, word] of new URLSearchParams(text)) raw[key] = read(key, word);
  return raw;
}

function read(key, word) {
  if (key === "layers" || key === "against") {
    return word === "none" ? null : word === "" ? [] : word.split("-").map(Number);
  }
  if (EACH.includes(key) && word.includes(",")) return word.split(",").map((one) => read(key, one));
  if (typeof DEFAULTS[key] === "number") return Number(word);
  return typeof DEFAULTS[key] === "boolean" ? { true: true, false: false }[word] ?? word : word;
}
