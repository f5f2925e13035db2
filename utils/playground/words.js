// Words of the controls that lead to the glossary: by the key of what they set, or, in a view's note, as they stand.
export const WORDS = {
  activation: "activation", gain: "gain", init: "initialisation", bias_std: "sigma of biases", optimiser: "optimiser",
  rate: "learning rate", decay: "weight decay", skips: "skip connection", biases: "bias", seed: "seed",
};
const OF_VIEWS = { plane: ["region", "region"], layers: ["hidden layer", "hidden layer"], losses: ["Logistic loss", "cross-entropy"] };
export const anchorOf = (word) => word.toLowerCase().replace(/[^a-z]+/g, "-");

// Makes links of the words where a lab has them; at(path) is an address on the site.
export function addWords(lab, at) {
  const linkOf = (text, word) => Object.assign(document.createElement("a"), { href: at(`reference/glossary.html#${anchorOf(word)}`), textContent: text });
  const link = (node, text, word) => {
    const found = node.data.indexOf(text);
    if (found < 0) return;
    const rest = node.splitText(found);
    rest.splitText(text.length);
    rest.replaceWith(linkOf(text, word));
  };
  return () => {
    for (const input of lab.root.querySelectorAll("label [data-key]")) {
      const label = input.closest("label"), word = WORDS[input.dataset.key];
      if (!word || label.querySelector("a")) continue;
      const node = [...label.childNodes, ...(label.querySelector("span")?.childNodes ?? [])].find((one) => one.nodeType === 3);
      link(node, node.data.trim().split(":")[0], word);
    }
    for (const [view, [text, word]] of Object.entries(OF_VIEWS)) {
      const note = lab.at(`[data-view=${view}] > .quiet`);
      if (!note.querySelector("a")) link(note.firstChild, text, word);
    }
  };
}
