import StripeClient from "stripe"

// The client waits half a second before it tries again what hung up. A test does not.
StripeClient.prototype.getInitialNetworkRetryDelay = () => 0
