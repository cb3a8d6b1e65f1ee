/** The ids in examples of the public document, which tell of one case of one patient. */
export const shownIds = {
  case: "7f3d1c52-8a40-4f0b-9a3e-5c2d1e0f9b21",
  patient: "4f0d2c1e-8f35-4f3e-9a53-0c7b8d6f2a11",
  provider: "b1f5a9de-4c1e-4b51-9f2c-6a3f0a5d7c11",
  product: "3b241101-e2bb-4255-8caf-4136c566a962",
  bundle: "1e6ed65d-77d6-464e-9aed-5a745ba5c498",
  form: "0b6a2bbf-6b6d-4d0b-9d53-0a6c8e3a7f51",
  payment: "8a9c34cf-2eab-4762-9034-120adbf8fd6f",
  order: "c2a7d3b0-91e4-4f6e-8f0d-2b7c5e1a9d33",
  escalation: "e8b4c1d7-3a52-4c9b-b6f0-7d2e9a4c5f66",
  decision: "5d0c8f9e-2f64-4d0a-8a53-9b1f3c7e2a44",
  calendarEvent: "90e06af9-d3da-472d-8fc1-cb25707855ce",
  webhookEndpoint: "6a1f8a51-39e8-4f3b-9d5b-0d7f3c0f2c11"
}
