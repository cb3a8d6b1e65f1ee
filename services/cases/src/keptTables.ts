import type { KeptTables } from "@care/service"

/** A sandbox keeps its catalogue, its webhook endpoints, as if the enabled ones had not failed, and copies of what it keeps elsewhere. */
export const keptTables: KeptTables = {
  bundle_products: {},
  bundles: {},
  delivery_queues: {},
  form_questions: {},
  forms: {},
  organization_snapshots: {},
  people: { removed: "role = 'USER'" },
  products: {},
  test_organizations: { changed: { set: "webhooks_fail_until = NULL", where: "webhooks_fail_until IS NOT NULL" } },
  webhook_endpoints: { changed: { set: "failing_since = NULL", where: "is_enabled AND failing_since IS NOT NULL" } }
}
