const maxLength = 255
const maxExtensionLength = 20

// Control characters, and characters that reorder text: they can make an "exe" look like a "pdf".
const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu

const shorten = (name: string): string => {
  if (name.length <= maxLength) return name
  const dot = name.lastIndexOf(".")
  const extension = dot > 0 && name.length - dot <= maxExtensionLength ? name.slice(dot) : ""
  return `${name.slice(0, maxLength - extension.length)}${extension}`
}

/**
 * Returns a file name without directories and control characters. It keeps its extension and at most 255 characters. When nothing is
 * left, the name is `document`.
 */
export const cleanFileName = (path: string): string => {
  const baseName = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1)
  const name = shorten(baseName.replace(forbidden, "").trim()).trim().toWellFormed()
  return name === "" || name === "." || name === ".." ? "document" : name
}
