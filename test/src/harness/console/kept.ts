/** Runs in a page: returns all that the browser keeps of it, and what it shows outside of it. */
export const kept = `(async () => {
  const read = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const stored = []
  for (const { name } of await indexedDB.databases()) {
    const database = await read(indexedDB.open(name))
    for (const store of database.objectStoreNames) {
      stored.push(name, store, ...(await read(database.transaction(store).objectStore(store).getAll())))
    }
    database.close()
  }
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) stored.push(name, url)
  }
  return JSON.stringify([
    Object.entries(localStorage), Object.entries(sessionStorage), stored, history.state,
    location.href, document.title, document.cookie, performance.getEntriesByType("resource").map(({ name }) => name)
  ])
})()`
