/** For whom something counts that callers share. */
export interface Holder {
  readonly name: string
  /** False while nobody has checked who it is: then it is named after where it comes from. */
  readonly isVerified: boolean
}
