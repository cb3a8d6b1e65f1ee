import { FormResponse } from "@care/domain/cases"
import { OrganizationId } from "@care/domain/ids"
import { type OpenedRow, sealed, sealedRow } from "@care/phi"
import { Schema } from "effect"

const { createdAt: _, description, questions, ...shown } = FormResponse.fields

/** The stored answers to a form. `content` is the questions with their answers. */
export const FormResponseRow = sealedRow("form_responses", ["organizationId", "id"], {
  ...shown,
  organizationId: OrganizationId,
  content: sealed(Schema.Struct({ description, questions }), { description: null, questions: [] }),
  createdAt: Schema.Date
})
export type FormResponseRow = OpenedRow<typeof FormResponseRow>
