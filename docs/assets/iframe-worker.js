/* Browsers run no workers for pages that are opened as files. There the script of a worker runs in a
   hidden frame, to which this class speaks as it would to a worker. */
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.appendChild(frame)
      const inner = frame.contentWindow
      this.waiting = []
      this.deliver = null
      inner.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      inner.importScripts = () => {}  /* of other languages than English */
      const script = frame.contentDocument.createElement("script")
      script.src = url
      script.onload = () => {
        this.deliver = data => inner.dispatchEvent(new inner.MessageEvent("message", { data }))
        this.waiting.splice(0).forEach(this.deliver)
      }
      script.onerror = event => this.dispatchEvent(new ErrorEvent("error", event))
      frame.contentDocument.head.appendChild(script)
    }

    postMessage(data) {
      this.deliver ? this.deliver(data) : this.waiting.push(data)
    }

    terminate() {}
  }
