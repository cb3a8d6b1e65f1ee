import type { QuestionType } from "@care/domain/cases"
import { Predicate } from "effect"
import { isNoAnswer } from "./answerRules.ts"

// The properties of structured answers that are stored. Others are dropped.
const parts: Partial<Record<QuestionType, ReadonlyArray<string>>> = {
  DATERANGE: ["startDate", "endDate"],
  WIDGET_BMI: ["height", "weight", "bmi"]
}

/** Returns an answer as it is stored and shown: a text, the JSON of anything else, or empty without an answer. */
export const answerText = (type: QuestionType, answer: unknown): string => {
  if (isNoAnswer(type, answer)) return ""
  if (Predicate.isString(answer)) return answer
  const storedParts = parts[type]
  return storedParts !== undefined && Predicate.isObject(answer)
    ? JSON.stringify(Object.fromEntries(storedParts.map((part) => [part, answer[part]])))
    : JSON.stringify(answer)
}
