import type { QuestionType } from "@care/domain/cases"
import { Predicate } from "effect"
import { isNoAnswer } from "./answerRules.ts"

// What a structured answer consists of; whatever else a caller put in is not kept.
const parts: Partial<Record<QuestionType, ReadonlyArray<string>>> = {
  DATERANGE: ["startDate", "endDate"],
  WIDGET_BMI: ["height", "weight", "bmi"]
}

/** An answer as it is stored and shown: a text as it is, anything else as its JSON; empty when nothing was answered. */
export const answerText = (type: QuestionType, answer: unknown): string => {
  if (isNoAnswer(type, answer)) return ""
  if (Predicate.isString(answer)) return answer
  const known = parts[type]
  return known !== undefined && Predicate.isObject(answer)
    ? JSON.stringify(Object.fromEntries(known.map((part) => [part, answer[part]])))
    : JSON.stringify(answer)
}
