// What was visited is there without a network: each answer is kept, and given where none comes any more.
const KEPT = "depth-course";
const NEVER_CHANGES = /\/_static\/python\/(pyodide|python_stdlib|numpy)/; // each is one version's, by its SHA-256

addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === location.origin) event.respondWith(answer(request));
});

async function answer(request) {
  const cache = await caches.open(KEPT);
  const here = await cache.match(request, { ignoreSearch: true });
  if (here && NEVER_CHANGES.test(request.url)) return here;
  try {
    const found = await fetch(request);
    if (found.status === 200) cache.put(request, found.clone()).catch(() => {}); // no room, say
    return found;
  } catch (error) {
    if (here) return here;
    throw error;
  }
}
