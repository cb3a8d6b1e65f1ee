import { type CaseDetail, ReadCase } from "@care/domain/cases"
import { isFast } from "@care/service-kit"
import { Schema } from "effect"

const encode = Schema.encodeSync(Schema.toCodecJson(ReadCase))

/**
 * Returns the answer of case detail as JSON. It is written without its schema, so its members must be in the order of the
 * contract (docs/decisions/0035-direct-decoding.md).
 */
export const writeCase = (caseDetail: CaseDetail): string =>
  JSON.stringify(isFast("writing") ? { status: 200, success: true, caseDetail } : encode({ caseDetail }))
