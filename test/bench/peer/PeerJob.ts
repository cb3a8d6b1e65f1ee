/** Something to do for a case: to assign it, or to tell somebody of it. */
export interface PeerJob {
  readonly id: string
  readonly kind: "ASSIGNMENT" | "CASE_OPENED" | "CASE_ASSIGNED"
  readonly organization_id: string
  readonly case_id: string
  /** Of the request that caused it. */
  readonly request_id: string
}
