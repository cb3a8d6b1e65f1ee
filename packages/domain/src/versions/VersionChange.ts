/** The body of a request or an answer: a JSON object. */
export type VersionedBody = Readonly<Record<string, unknown>>

type Transform = (body: VersionedBody) => VersionedBody

/** What a version changed in an operation, for callers of the version before it. */
export interface VersionChange {
  /** Method and path of its contract: `POST /api/v1/cases`. */
  readonly operation: string
  /** What changed, in words, for docs/changelog.md. */
  readonly says: string
  /** Returns the body of a request in this version, from one in the version before. */
  readonly request?: Transform
  /** By status: return the body of an answer in the version before, from one in this version. */
  readonly answers?: Readonly<Record<number, Transform>>
}
