"""A deep Gaussian process of two layers, fitted by Adam."""

from either import adam, np, value_and_grad

rng = np.random.RandomState(0)
n = 20
X = np.linspace(-3, 3, n)[:, None]
y = np.sign(X[:, 0]) * np.abs(X[:, 0]) ** 0.3 + 0.05 * rng.randn(n)


def covariance(params, a, b):
    scale = np.exp(params[0])
    lengths = np.exp(params[1:])
    d = (a[:, None, :] - b[None, :, :]) / lengths
    return scale * np.exp(-0.5 * np.sum(d**2, axis=2))


def unpack(params):
    return params[0], np.exp(params[1]) + 0.001, params[2:4]


def predict(params, x, target, xs):
    mean, noise, kernel = unpack(params)
    cross = covariance(kernel, x, xs)
    K = covariance(kernel, x, x) + noise * np.eye(len(target))
    return mean + np.dot(np.linalg.solve(K, cross).T, target - mean)


def log_likelihood(params, x, target):
    mean, noise, kernel = unpack(params)
    K = covariance(kernel, x, x) + noise * np.eye(len(target))
    L = np.linalg.cholesky(K)
    z = np.linalg.solve(L, target - mean)
    return -0.5 * np.sum(z**2) - np.sum(np.log(np.diag(L))) - 0.5 * len(target) * np.log(2 * np.pi)


def objective(params):
    first, second, hidden = params[:4], params[4:8], params[8:]
    h = hidden[:, None]
    upper = log_likelihood(second, h, y)
    lower = log_likelihood(first, X, hidden)
    return -upper - lower


vg = value_and_grad(objective)
start = 0.1 * rng.randn(8 + n)
start[8:] += X[:, 0]
params = adam(lambda p, k: vg(p), start, 200, 0.02, 50)
xs = np.linspace(-4, 4, 9)[:, None]
middle = predict(params[:4], X, params[8:], xs)
print(np.round(predict(params[4:8], params[8:][:, None], y, middle[:, None]), 5))
