/** A job for a case: to assign it, or to send a notice. */
export interface PeerJob {
  readonly id: string
  readonly kind: "ASSIGNMENT" | "CASE_OPENED" | "CASE_ASSIGNED"
  readonly organization_id: string
  readonly case_id: string
  /** The id of the request that caused the job. */
  readonly request_id: string
}
