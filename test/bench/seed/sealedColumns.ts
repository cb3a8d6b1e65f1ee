/** The texts of the seeded cases that are read, and their columns. */
export const sealedColumns: ReadonlyArray<{
  readonly schema: string
  readonly table: string
  readonly column: string
  readonly value: unknown
}> = [
  {
    schema: "cases",
    table: "comments",
    column: "text",
    value: "Please send us your last lab results, and tell us how you feel."
  },
  {
    schema: "cases",
    table: "decisions",
    column: "decision_text",
    value: "Approved for three months; follow-up in six weeks."
  },
  { schema: "cases", table: "decisions", column: "category", value: "weight" },
  {
    schema: "cases",
    table: "decisions",
    column: "med_info",
    value: [
      {
        id: "1",
        medicine: "Semaglutide",
        dosage: "0.25 mg",
        refillCount: 2,
        pharmacyInstructions: "Keep it cold.",
        dosingFrequency: "weekly",
        externalId: null,
        isRefill: false,
        treatmentPeriod: "12 weeks",
        isPriorAuthRequested: false
      }
    ]
  },
  { schema: "cases", table: "documents", column: "file_name", value: "lab-results.pdf" },
  { schema: "cases", table: "escalations", column: "note", value: "Asked for the new address." },
  { schema: "cases", table: "form_responses", column: "content", value: { description: null, questions: [] } },
  { schema: "cases", table: "orders", column: "items", value: [{ name: "Semaglutide", quantity: "1" }] },
  { schema: "cases", table: "orders", column: "shipping_logs", value: [] },
  { schema: "scheduling", table: "calendar_events", column: "title", value: "Follow-up" }
]
