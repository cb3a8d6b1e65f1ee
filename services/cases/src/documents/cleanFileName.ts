const longest = 255
const longestExtension = 20

// Control characters, and characters that reorder text: they can make an "exe" look like a "pdf".
const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu

const shortened = (name: string): string => {
  if (name.length <= longest) return name
  const dot = name.lastIndexOf(".")
  const extension = dot > 0 && name.length - dot <= longestExtension ? name.slice(dot) : ""
  return `${name.slice(0, longest - extension.length)}${extension}`
}

/**
 * Returns a file name without directories and control characters. It keeps its extension and at most 255 characters. When nothing is
 * left, the name is `document`.
 */
export const cleanFileName = (given: string): string => {
  const last = given.slice(Math.max(given.lastIndexOf("/"), given.lastIndexOf("\\")) + 1)
  const name = shortened(last.replace(forbidden, "").trim()).trim().toWellFormed()
  return name === "" || name === "." || name === ".." ? "document" : name
}
