const textUpTo = (maxLength: number) => ({ type: "string", maxLength, format: "storable" }) as const
const nonBlankUpTo = (maxLength: number) => ({ ...textUpTo(maxLength), pattern: "\\S" }) as const

const line = textUpTo(200)
const code = textUpTo(64)
const reference = textUpTo(255)
const visitType = { enum: ["ASYNC_TEXT_EMAIL", "SYNC_IN_PERSON", "SYNC_PHONE", "SYNC_VIDEO"] } as const

const question = {
  type: "object",
  required: ["question", "answer", "type"],
  properties: {
    question: nonBlankUpTo(2000),
    answer: textUpTo(20_000),
    type: { enum: ["TEXT", "SINGLESELECT", "MULTISELECT"] },
    required: { type: "boolean" },
    phi: { type: "boolean" },
    options: { type: ["array", "null"], maxItems: 200, items: textUpTo(2000) }
  }
} as const

const user = {
  type: "object",
  required: ["firstName", "lastName", "email"],
  properties: {
    firstName: nonBlankUpTo(100),
    lastName: nonBlankUpTo(100),
    email: { type: "string", maxLength: 320, format: "contactEmail" },
    phoneNumber: { type: "string", maxLength: 64, format: "phoneNumber" },
    dob: code,
    gender: { enum: ["MALE", "FEMALE", "OTHER"] },
    languagePreferences: { type: ["array", "null"], maxItems: 50, items: code },
    shippingAddress: {
      type: "object",
      properties: { addressLine1: line, addressLine2: line, city: line, state: line, country: line, postalCode: line }
    }
  }
} as const

/** The body of case creation as JSON Schema: the fields, formats and bounds of the suite's contract, but for payments. */
export const createCaseSchema = {
  type: "object",
  required: ["user", "products"],
  properties: {
    isTest: { type: "boolean" },
    forceCreate: { type: "boolean" },
    user: { ...user, required: [...user.required, "phoneNumber", "dob"] },
    products: {
      type: "array",
      minItems: 1,
      maxItems: 100,
      items: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string", format: "uuid" },
          visitType,
          payment: { type: "object", properties: { promoCode: reference } },
          form: {
            type: "object",
            properties: {
              title: line,
              description: textUpTo(10_000),
              questions: { type: ["array", "null"], maxItems: 500, items: question }
            }
          }
        }
      }
    }
  }
} as const
