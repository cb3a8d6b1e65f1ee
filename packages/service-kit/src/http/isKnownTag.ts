/** Tells whether the entity tag of what there is now is one of those that a caller knows, by its `If-None-Match`. Both may be weak. */
export const isKnownTag = (etag: string, ifNoneMatch: string | undefined): boolean =>
  (ifNoneMatch ?? "").split(",").some((entry) => {
    const tag = entry.trim()
    return tag === "*" || tag.replace(/^W\//, "") === etag.replace(/^W\//, "")
  })
