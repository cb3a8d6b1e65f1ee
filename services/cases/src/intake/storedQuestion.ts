interface BroughtQuestion<Type> {
  readonly questionId?: string | null | undefined
  readonly question: string
  readonly type: Type
  readonly required?: boolean | undefined
  readonly phi?: boolean | undefined
  readonly options?: ReadonlyArray<string> | undefined
}

/** What is stored of a question beside its answer, with defaults for what a request leaves out. */
export const storedQuestion = <Type extends string>({
  options = [],
  phi = false,
  question,
  questionId = null,
  required = false,
  type
}: BroughtQuestion<Type>) => ({ questionId, question, type, required, phi, options })
