const invalid = { success: false, message: "Invalid request" }
const noCase = { error: "No Case found for provided details!" }
const denied = { error: "Permission denied" }

/** What another organization's is answered, and what nobody's, where the specification tells the two apart. */
export const toldApart: Readonly<Record<string, readonly [foreign: object, nobodys: object]>> = {
  "signIn.refresh": [
    { status: 401, error: "Refresh token does not belong to this organization", code: "REFRESH_INVALID" },
    { status: 401, error: "Refresh token not recognized", code: "REFRESH_INVALID" }
  ],
  "users.checkUser": [{ message: "Email already exists" }, { message: "User does not exist" }],
  "users.updateProfile": [
    { message: "User <email> does not exist in the organization" },
    { message: "User <email> does not exist" }
  ],
  "users.updateEmail": [
    { message: "User <email> does not exist in the organization" },
    { message: "User <email> does not exist" }
  ],
  "escalations.add": [
    { status: 401, ...invalid, error: "Permission denied!" },
    { status: 400, ...invalid, error: "Case not found!" }
  ],
  "orders.placeOrder": [
    { status: 403, ...invalid, ...denied },
    { status: 400, ...invalid, ...noCase }
  ],
  "reading.caseDetail": [
    { status: 403, ...invalid, error: "Permission denied!" },
    { status: 404, ...invalid, ...noCase }
  ],
  "statusChanges.change": [
    { status: 401, ...invalid, message: "Permission denied", ...denied },
    { status: 400, ...invalid, ...noCase }
  ],
  "calendarActions.create": [
    { status: 401, ...invalid, ...denied },
    { status: 404, ...invalid, ...noCase }
  ],
  "calendarActions.cancel": [
    { status: 401, ...invalid, ...denied },
    { status: 404, ...invalid, ...noCase }
  ],
  "caseProducts.update": [
    { status: 403, ...invalid, message: "Forbidden", ...denied },
    { status: 400, ...invalid, ...noCase, code: "VALIDATION_ERROR" }
  ],
  "paymentSetup.completeSetup": [
    { status: 401, ...denied },
    { status: 400, error: "No setup intent exists for the id <id>" }
  ],
  "newPayments.create": [{ status: 401, ...denied }, { message: "No Case found for provided details!" }],
  "paymentConfirmations.confirmPayment": [
    { status: 401, ...denied },
    { status: 400, ...noCase }
  ]
}
