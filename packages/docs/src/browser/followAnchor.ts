const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Follows an anchor in other letter case, such as the code of an error: anchors are in lower case. */
export const followAnchor = (): void => {
  const anchor = decoded(location.hash.slice(1))
  const lower = anchor.toLowerCase()
  if (document.getElementById(anchor) === null && document.getElementById(lower) !== null) location.replace(`#${lower}`)
}
