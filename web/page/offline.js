// The service worker: files that were loaded once are available offline. With a network, the page
// is updated.

const store = "facet-VERSION";

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(store).then((cache) => cache.addAll(["./", "index.html", "style.css", "icon.svg", "manifest.webmanifest", "main.js",
    "worker.js", "dist/facet-simd.wasm"])).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== store)
    .map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  event.respondWith(fetch(request).then((response) => {
    if (response.ok) {
      const copy = response.clone();
      caches.open(store).then((cache) => cache.put(request, copy));
    }
    return response;
  }).catch(async () => (await caches.match(request, { ignoreSearch: true })) ?? Response.error()));
});
