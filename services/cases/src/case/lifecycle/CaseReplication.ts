import { caseReplica } from "@care/domain/cases"
import { Replication } from "@care/replicas"
import { Effect } from "effect"
import { makeCasesRepo } from "./CasesRepo.ts"

/** Tells scheduling the state of the cases that it follows. */
export class CaseReplication extends Replication.make<CaseReplication>()(
  "case-replication",
  caseReplica,
  Effect.map(makeCasesRepo, ({ snapshots }) => snapshots)
) {}
