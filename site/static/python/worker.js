// The browser's Python: loads the interpreter, NumPy and a lesson's modules, then judges what a page asks about.
import { loadPyodide } from "./pyodide.mjs";

const HERE = new URL("./", import.meta.url), lesson = new URL(import.meta.url).searchParams.get("lesson");
const fetched = fetch, TYPES = { wasm: "application/wasm", js: "text/javascript" };

// Return the bytes of all files, by name, unpacked; while they come, say which share of them is here.
async function load(names, sizes) {
  const total = names.reduce((sum, name) => sum + sizes[name], 0);
  let here = 0;
  const one = async (name) => {
    const answer = await fetched(new URL(name, HERE));
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    const counted = answer.body.pipeThrough(new TransformStream({
      transform(chunk, to) {
        here += chunk.length;
        postMessage({ kind: "loading", share: Math.min(here / total, 1) });
        to.enqueue(chunk);
      },
    }));
    const bytes = await new Response(counted).arrayBuffer(), [first, second] = new Uint8Array(bytes);
    const isPacked = first === 0x1f && second === 0x8b; // some servers have the browser unpack it
    return [name.replace(/\.gz$/, ""), isPacked ? await unpacked(bytes) : bytes];
  };
  return Object.fromEntries(await Promise.all(names.map(one)));
}

const unpacked = (bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

async function begin() {
  const sizes = await (await fetched(new URL("files.json", HERE))).json();
  const shared = Object.keys(sizes).filter((name) => !/^lesson_|\.mjs$/.test(name));
  const files = await load([...shared, `lesson_${lesson}.zip`], sizes);
  self.fetch = (asked, how) => { // the interpreter asks for its own files by their addresses
    const name = String(asked.url ?? asked).split(/[/?]/).pop();
    const type = { "Content-Type": TYPES[name.split(".").pop()] ?? "application/octet-stream" };
    return name in files ? Promise.resolve(new Response(files[name], { headers: type })) : fetched(asked, how);
  };
  const script = URL.createObjectURL(new Blob([files["pyodide.asm.js"]], { type: TYPES.js }));
  await import(script);
  const python = await loadPyodide({ indexURL: HERE.href, packages: ["numpy"], stdout() {}, stderr() {} });
  python.unpackArchive(files[`lesson_${lesson}.zip`], "zip", { extractDir: "/course" });
  python.runPython("import os, sys; os.chdir('/course'); sys.path.insert(0, '/course')");
  return [python, python.pyimport("answering")];
}

const begun = begin();
begun.then(() => postMessage({ kind: "ready" }), (error) => postMessage({ kind: "failed", said: String(error) }));

onmessage = async ({ data: { number, call, given } }) => {
  const [python, answering] = await begun;
  try {
    const found = answering[call](...given.map((one) => python.toPy(one)));
    postMessage({ kind: "judged", number, ...found.toJs({ dict_converter: Object.fromEntries }) });
  } catch (error) { // of the course's own code, or the interpreter's: its memory has run out, say
    postMessage({ kind: "failed", number, said: String(error).trim().split("\n").pop() });
  }
};
