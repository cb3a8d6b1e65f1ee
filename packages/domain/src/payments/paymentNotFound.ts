import { problem } from "../http/Problem.ts"
import { PaymentNotFound } from "./errors.ts"

/** 404 of an unknown payment, for operators. */
export const paymentNotFound = problem(
  PaymentNotFound,
  404,
  "Payment not found",
  ({ paymentId }) => `No payment has the id ${paymentId}.`
)
