import { FormResponse } from "@care/domain/cases"
import { OrganizationId } from "@care/domain/ids"
import { type OpenedRow, sealed, sealedRow } from "@care/phi"
import { Schema } from "effect"

const { createdAt: _, description, questions, ...shown } = FormResponse.fields

/** The answers to a form as they are stored: `content` is what was asked and answered. */
export const FormResponseRow = sealedRow("form_responses", ["organizationId", "id"], {
  ...shown,
  organizationId: OrganizationId,
  content: sealed(Schema.Struct({ description, questions }), { description: null, questions: [] }),
  createdAt: Schema.Date
})
export type FormResponseRow = OpenedRow<typeof FormResponseRow>
