import StripeClient from "stripe"

// Removes the client's wait of half a second before a retry.
StripeClient.prototype.getInitialNetworkRetryDelay = () => 0
