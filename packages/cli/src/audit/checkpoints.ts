export { faultsOfCheckpoints, monthText } from "@care/domain/audit/checkpoints"
