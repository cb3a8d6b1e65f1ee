import { caseReplica } from "@care/domain/cases"
import { Replication } from "@care/replicas"
import { Effect } from "effect"
import { makeCasesRepo } from "./CasesRepo.ts"

/** Sends snapshots of the cases that scheduling follows to it. */
export class CaseReplication extends Replication.make<CaseReplication>()(
  "case-replication",
  caseReplica,
  Effect.map(makeCasesRepo, ({ snapshots }) => snapshots)
) {}
