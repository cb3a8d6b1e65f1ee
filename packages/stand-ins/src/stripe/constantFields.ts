/** The fields that have one value in all charges of the stand-in. */
export const chargeConstants = {
  object: "charge",
  application: null,
  application_fee: null,
  application_fee_amount: null,
  calculated_statement_descriptor: "CARE SANDBOX",
  failure_balance_transaction: null,
  fraud_details: {},
  livemode: false,
  on_behalf_of: null,
  radar_options: {},
  receipt_number: null,
  review: null,
  source: null,
  source_transfer: null,
  transfer_data: null,
  transfer_group: null
} as const

/** The fields that have one value in all customers of the stand-in. */
export const customerConstants = {
  object: "customer",
  currency: null,
  customer_account: null,
  default_source: null,
  delinquent: false,
  discount: null,
  livemode: false,
  next_invoice_sequence: 1
} as const

/** The fields that have one value in all disputes of the stand-in. */
export const disputeConstants = {
  object: "dispute",
  balance_transactions: [],
  enhanced_eligibility_types: [],
  intended_submission_method: null,
  livemode: false,
  payment_method_details: {
    card: { brand: "visa", case_type: "chargeback", network_reason_code: "10.4" },
    type: "card"
  }
} as const

/** The fields that have one value in all payment intents of the stand-in. */
export const paymentIntentConstants = {
  object: "payment_intent",
  amount_details: { tip: {} },
  application: null,
  application_fee_amount: null,
  confirmation_method: "automatic",
  customer_account: null,
  excluded_payment_method_types: null,
  livemode: false,
  managed_payments: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_record: null,
  processing: null,
  review: null,
  source: null,
  transfer_data: null,
  transfer_group: null
} as const

/** The fields that have one value in all refunds of the stand-in. */
export const refundConstants = {
  object: "refund",
  customer_account: null,
  destination_details: { card: { type: "refund" }, type: "card" },
  receipt_number: null,
  source_transfer_reversal: null,
  transfer_reversal: null
} as const

/** The fields that have one value in all setup intents of the stand-in. */
export const setupIntentConstants = {
  object: "setup_intent",
  application: null,
  customer_account: null,
  excluded_payment_method_types: null,
  flow_directions: null,
  livemode: false,
  mandate: null,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  single_use_mandate: null
} as const
