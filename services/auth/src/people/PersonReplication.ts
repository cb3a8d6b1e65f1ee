import { personReplica } from "@care/domain/auth"
import { Replication } from "@care/replicas"
import { Effect } from "effect"
import { makePeopleRepo } from "./PeopleRepo.ts"

/** Sends to the cases service how people are shown. */
export class PersonReplication extends Replication.make<PersonReplication>()(
  "person-replication",
  personReplica,
  Effect.map(makePeopleRepo, ({ find }) => find)
) {}
