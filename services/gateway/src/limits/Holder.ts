/** A caller, as far as shared limits are concerned. */
export interface Holder {
  readonly name: string
  /** False while the caller is not authenticated. Its name is its address then. */
  readonly isVerified: boolean
}
