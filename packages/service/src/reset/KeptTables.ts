/**
 * The tables of a service that a reset of a sandbox keeps. `removed` is a condition for rows that go nevertheless, `changed` what is set in
 * those that stay and differ. The rows of all other tables go.
 */
export type KeptTables = Readonly<
  Record<string, { readonly removed?: string; readonly changed?: { readonly set: string; readonly where: string } }>
>

/** The tables of every service that a reset keeps, besides its audit. Jobs are removed by their queues. */
export const commonKeptTables: KeptTables = {
  jobs: {},
  moved_idempotency_secrets: {},
  organization_changes: {},
  test_organizations: {}
}
