import { Effect } from "effect"

const question = (text: string, type: string, options?: ReadonlyArray<string>) => ({
  question: text,
  type,
  required: true,
  phi: true,
  ...(options && { options })
})

/** Adds the products, forms and bundle of the demo to an organization with `create`, which returns the id of what it makes. */
export const addCatalogue = Effect.fnUntraced(function* <E>(
  create: (kind: string, body: unknown) => Effect.Effect<string, E>
) {
  const productIds = [
    yield* create("products", { name: "Semaglutide program", price: "299.00", currency: "USD" }),
    yield* create("products", { name: "Tirzepatide program", price: "399.00", currency: "USD" })
  ]
  const intakeFormId = yield* create("forms", {
    title: "Weight management intake",
    questions: [
      question("How much do you weigh in pounds?", "TEXT"),
      question("Do you have allergies to medication?", "SINGLESELECT", ["Yes", "No"]),
      question("Which conditions have you been diagnosed with?", "MULTISELECT", ["Hypertension", "Diabetes", "None"])
    ]
  })
  const followupFormId = yield* create("forms", {
    title: "Weight management check-in",
    questions: [
      question("How much do you weigh in pounds today?", "TEXT"),
      question("Have you had side effects since your last dose?", "SINGLESELECT", ["Yes", "No"]),
      question("Would you like to change your dose?", "SINGLESELECT", ["Increase", "Keep", "Decrease"])
    ]
  })
  const bundleId = yield* create("bundles", {
    name: "Weight management",
    description: "Three months of medication with monthly check-ins",
    imageUrl: "https://images.example.com/weight-management.png",
    price: "299.00",
    priceUnit: "USD",
    initialDiscount: "50.00",
    isSoldOut: false,
    isVisible: true,
    productIds,
    intakeFormId,
    followupFormId
  })
  return { bundleId, productIds }
})
