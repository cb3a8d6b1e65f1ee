interface BroughtQuestion<Type, Answer> {
  readonly questionId?: string | null | undefined
  readonly question: string
  readonly type: Type
  readonly required?: boolean | undefined
  readonly phi?: boolean | undefined
  readonly options?: ReadonlyArray<string> | undefined
  readonly answer: Answer
}

/** What is stored of a question and its answer, with defaults for what a request leaves out. */
export const storedQuestion = <Type extends string, Answer>({
  answer,
  options = [],
  phi = false,
  question,
  questionId = null,
  required = false,
  type
}: BroughtQuestion<Type, Answer>) => ({ questionId, question, type, required, phi, options, answer })
