/** Runs in a page: returns what a hostile text did to it. */
export const harm = `(() => {
  const found = []
  if (document.querySelector("img[src=x], main script, main b") !== null) found.push("a new element")
  if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window: " + document.documentElement.scrollWidth)
  for (const part of document.querySelectorAll("[role=dialog], [role=dialog] *")) {
    if (part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1) found.push("wider than its dialog: " + part.tagName)
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent
    if (!text.includes("\\u202e") || walker.currentNode.parentElement.closest("title, .sr-only, [role=status]") !== null) continue
    // The text turns all that follows it in the next element that is isolated.
    let element = walker.currentNode.parentElement
    while (getComputedStyle(element).display === "inline" && !/isolate|plaintext/.test(getComputedStyle(element).unicodeBidi)) element = element.parentElement
    const [, ...rest] = element.textContent.split("evil")
    const turned = rest.join("evil").replaceAll("<", "").trim()
    if (turned !== "") found.push("turned around: " + element.tagName + " " + turned.slice(0, 100))
  }
  return [...new Set(found)]
})()`
