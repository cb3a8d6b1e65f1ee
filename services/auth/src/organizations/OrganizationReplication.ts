import { organizationReplica } from "@care/domain/auth"
import { Replication } from "@care/replicas"
import { Effect } from "effect"
import { makeOrganizationsRepo } from "./OrganizationsRepo.ts"

/** Sends to the cases service whether an organization is disabled. */
export class OrganizationReplication extends Replication.make<OrganizationReplication>()(
  "organization-replication",
  organizationReplica,
  Effect.map(makeOrganizationsRepo, ({ snapshots }) => snapshots)
) {}
