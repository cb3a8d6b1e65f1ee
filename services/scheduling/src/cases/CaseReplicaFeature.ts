import { caseReplica } from "@care/domain/cases"
import { layerAcceptor } from "@care/replicas"
import { Effect } from "effect"
import { CaseSnapshots } from "./CaseSnapshots.ts"

export const CaseReplicaFeature = layerAcceptor(
  caseReplica,
  Effect.map(CaseSnapshots, ({ accept }) => accept)
)
