// The page without a network: everything it has asked for once, the network first, so that no old
// build is ever pinned.

const CACHE = "castlecp";

/** All that the page needs to play; a test holds it equal to the folder. */
const FILES = [
  "/",
  "/icon.svg",
  "/manifest.webmanifest",
  "/js/api.js",
  "/js/app.js",
  "/js/board.js",
  "/js/boards.js",
  "/js/dom.js",
  "/js/game.js",
  "/js/hints.js",
  "/js/home.js",
  "/js/keys.js",
  "/js/lattice.js",
  "/js/play.js",
  "/js/pointer.js",
  "/js/rules/castle.js",
  "/js/rules/cave.js",
  "/js/rules/common.js",
  "/js/rules/mashu.js",
  "/js/rules/slither.js",
  "/js/store.js",
  "/js/words/en.js",
  "/style/board.css",
  "/style/page.css",
  "/style/tokens.css",
];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  event.respondWith(answer(request, url));
});

async function answer(request, url) {
  const cache = await caches.open(CACHE);
  // Every page is the same file.
  const key = request.mode === "navigate" ? new Request("/") : request;
  try {
    const found = await fetch(request);
    if (found.ok && (request.mode !== "navigate" || url.pathname === "/")) await cache.put(key, found.clone());
    return found;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}
