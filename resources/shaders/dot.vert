#version 330 core
// A node as a round dot whose size follows the distance.
layout(location = 0) in vec3 place;
layout(location = 1) in vec4 tint;

layout(location = 2) in float diameter;  // in nodes

uniform mat4 matrix;
uniform float size;  // of a node on the screen, at distance 1
uniform float least;
uniform vec2 depths;
uniform float haze;
uniform float farthest;  // whether it lies behind all else, so that whatever has a depth there hides it

flat out vec4 dotColour;
flat out float radius;

void main() {
    gl_Position = matrix * vec4(place, 1.0);
    float wanted = diameter * size / max(gl_Position.w, 1e-3);
    gl_PointSize = max(wanted, least) + 1.0;
    radius = gl_PointSize * 0.5;
    if (farthest > 0.5) gl_Position.z = gl_Position.w;
    // A dot too small for the screen gets fainter instead, and so does a far one.
    float faint = min(wanted / least, 1.0);
    float far = clamp((gl_Position.w - depths.x) / (depths.y - depths.x), 0.0, 1.0);
    dotColour = vec4(tint.rgb, tint.a * faint * (1.0 - 2.0 * haze * far));
}
