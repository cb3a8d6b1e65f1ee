import { invalid } from "./Refusal.ts"

interface PageQuery {
  readonly count?: string
  readonly page_token?: string
}

const tokenOf = (key: string): string => Buffer.from(key).toString("base64url")

const keyOf = (token: string): string => {
  const key = Buffer.from(token, "base64url").toString()
  if (tokenOf(key) !== token || key === "")
    throw invalid({ parameter: "page_token", message: "is not one that was given out" })
  return key
}

/**
 * Returns a page of rows in the order of their keys. The token is the key before the page, so that insertions and
 * removals do not shift pages. `path` is the list's own with its query.
 */
export const listPage = <A, Shown>(
  { path, url }: { readonly path: string; readonly url: string },
  { count = "20", page_token }: PageQuery,
  list: {
    readonly rows: ReadonlyArray<A>
    readonly keyOf: (row: A) => string
    readonly isDescending: boolean
    readonly show: (row: A) => Shown
  }
) => {
  const sign = list.isDescending ? -1 : 1
  const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -sign : sign)
  const after = page_token === undefined ? undefined : keyOf(page_token)
  const rows = list.rows
    .filter((row) => after === undefined || compare(list.keyOf(row), after) > 0)
    .sort((a, b) => compare(list.keyOf(a), list.keyOf(b)))
  const shown = rows.slice(0, Number(count))
  const last = shown.at(-1)
  const token = last === undefined || rows.length === shown.length ? null : tokenOf(list.keyOf(last))
  const next = new URL(path, url)
  if (token !== null) next.searchParams.set("page_token", token)
  return {
    collection: shown.map(list.show),
    pagination: { count: shown.length, next_page: token === null ? null : next.href, next_page_token: token }
  }
}
