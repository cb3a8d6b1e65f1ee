/** The ages of cases by which the dashboard counts and the queue shows them, in hours since the case came. Each case has one. */
export const caseAges = {
  underOneHour: { from: 0, to: 1 },
  underFourHours: { from: 1, to: 4 },
  underOneDay: { from: 4, to: 24 },
  longer: { from: 24, to: Number.POSITIVE_INFINITY }
} as const
export type CaseAge = keyof typeof caseAges

/** Returns which cases have an age now: those that were created since then, and before. Undefined ends are open. */
export const createdAtAge = (age: CaseAge, nowMillis: number): { readonly since?: Date; readonly before?: Date } => {
  const { from, to } = caseAges[age]
  const ago = (hours: number) => new Date(nowMillis - hours * 3_600_000)
  return { ...(Number.isFinite(to) && { since: ago(to) }), ...(from > 0 && { before: ago(from) }) }
}
