import { personReplica } from "@care/domain/auth"
import { Replication } from "@care/replicas"
import { Effect } from "effect"
import { makeUserSnapshotsRepo } from "./UserSnapshotsRepo.ts"

/** Sends to the cases service how people are shown. */
export class PersonReplication extends Replication.make<PersonReplication>()(
  "person-replication",
  personReplica,
  Effect.map(makeUserSnapshotsRepo, ({ find }) => find)
) {}
