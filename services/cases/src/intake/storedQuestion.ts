interface QuestionInput<Type, Answer> {
  readonly questionId?: string | null | undefined
  readonly question: string
  readonly type: Type
  readonly required?: boolean | undefined
  readonly phi?: boolean | undefined
  readonly options?: ReadonlyArray<string> | undefined
  readonly answer: Answer
}

/** Returns a question and its answer as they are stored, with defaults for what the request leaves out. */
export const storedQuestion = <Type extends string, Answer>({
  answer,
  options = [],
  phi = false,
  question,
  questionId = null,
  required = false,
  type
}: QuestionInput<Type, Answer>) => ({ questionId, question, type, required, phi, options, answer })
