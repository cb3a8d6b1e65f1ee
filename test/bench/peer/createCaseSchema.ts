const text = { type: "string" } as const
const name = { type: "string", minLength: 1, maxLength: 100, pattern: "\\S" } as const

/** The body of case creation as JSON Schema: the same fields and formats as the contract's. */
export const createCaseSchema = {
  type: "object",
  required: ["user", "products"],
  properties: {
    status: text,
    isTest: { type: "boolean" },
    forceCreate: { type: "boolean" },
    idempotencyKey: { type: "string", minLength: 1, maxLength: 255 },
    user: {
      type: "object",
      required: ["firstName", "lastName", "email", "phoneNumber", "dob"],
      properties: {
        firstName: name,
        lastName: name,
        email: { type: "string", maxLength: 254, pattern: "^[^\\s@]{1,64}@[^\\s@.]+(\\.[^\\s@.]+)+$" },
        phoneNumber: { type: "string", pattern: "^\\+[1-9]\\d{6,14}$" },
        dob: { type: "string", format: "date" },
        gender: { enum: ["MALE", "FEMALE", "OTHER"] },
        languagePreferences: { type: "array", items: text },
        shippingAddress: {
          type: "object",
          properties: {
            addressLine1: text,
            addressLine2: text,
            city: text,
            state: text,
            country: text,
            postalCode: text
          }
        }
      }
    },
    payment: {
      type: "object",
      required: ["amount", "currency", "providerReference"],
      properties: {
        amount: { type: "number" },
        currency: text,
        description: text,
        status: text,
        promoCode: text,
        providerReference: {
          type: "object",
          required: ["type", "id"],
          properties: { type: { enum: ["SETUP_INTENT", "PAYMENT_INTENT", "PAYMENT_TOKEN"] }, id: text }
        }
      }
    },
    products: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string", format: "uuid" },
          visitType: { enum: ["ASYNC_TEXT_EMAIL", "SYNC_IN_PERSON", "SYNC_PHONE", "SYNC_VIDEO"] },
          form: {
            type: "object",
            properties: {
              title: text,
              description: text,
              questions: {
                type: "array",
                items: {
                  type: "object",
                  required: ["question", "answer", "type"],
                  properties: {
                    question: { type: "string", pattern: "\\S" },
                    answer: text,
                    type: { enum: ["TEXT", "SINGLESELECT", "MULTISELECT"] },
                    required: { type: "boolean" },
                    phi: { type: "boolean" },
                    options: { type: "array", items: text }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
} as const
