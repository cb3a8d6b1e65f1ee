/** Follows an anchor in other letter case, such as the code of an error: anchors are in lower case. */
export const followAnchor = (): void => {
  const anchor = decodeURIComponent(location.hash.slice(1))
  const lower = anchor.toLowerCase()
  if (document.getElementById(anchor) === null && document.getElementById(lower) !== null) location.replace(`#${lower}`)
}
